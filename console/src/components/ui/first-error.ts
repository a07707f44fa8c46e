/**
 * Takes people to the first field that was refused, once the refusals are drawn: its sentence is
 * read out with it. Does nothing when no field was.
 */
export function focusFirstError(root: HTMLElement | null): void {
  requestAnimationFrame(() => {
    const field = root?.querySelector<HTMLElement>('[aria-invalid=true]');
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  });
}
