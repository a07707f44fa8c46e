import { useTranslation } from 'react-i18next';
import { CodeBlock } from '@/components/ui/code-block';
import { ShownOnce } from '@/components/ui/shown-once';
import own from './tokens.module.css';

export interface NewToken {
  name: string;
  token: string;
}

/** Shows a new token, once, with a request that uses it. */
export function TokenDialog({ made, onClose }: { made: NewToken | null; onClose: () => void }) {
  const { t } = useTranslation('tokens');
  return (
    <ShownOnce
      open={made !== null}
      size="xl"
      title={made ? t('shown.title', { name: made.name }) : ''}
      warning={t('shown.once')}
      kept={t('shown.kept')}
      done={t('shown.done')}
      onClose={onClose}
    >
      {made ? (
        <>
          <div>
            <h3 className={own.label}>{t('shown.token')}</h3>
            <CodeBlock code={made.token} label={t('shown.token')} />
          </div>
          <div>
            <h3 className={own.label}>{t('shown.use')}</h3>
            <CodeBlock code={example()} label={t('shown.use')} />
          </div>
        </>
      ) : null}
    </ShownOnce>
  );
}

// The token itself is left to the environment: a command's text ends up in histories.
function example(): string {
  return [
    `curl -s ${window.location.origin}/graphql \\`,
    `  -H "Authorization: Bearer $BELFRY_TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d '{"query":"{ apps { name } }"}'`,
  ].join('\n');
}
