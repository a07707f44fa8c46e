import classes from './code-block.module.css';
import { CopyButton } from './copy-button';

/** A command or a piece of code to copy. */
export function CodeBlock({ code, label }: { code: string; label?: string }) {
  return (
    <div className={classes.block}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a block that scrolls must be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups form fields, this groups lines */}
      <pre tabIndex={0} role="group" aria-label={label}>
        {code}
      </pre>
      <div className={classes.copy}>
        <CopyButton text={code} />
      </div>
    </div>
  );
}
