/** `/` puts the cursor into the box's field from anywhere but another field. To be the `ref` of what stands around the field. */
export function hearSlashKey(box: HTMLDivElement): () => void {
  const focus = (event: KeyboardEvent) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // Under the sign-in window the box is out of reach.
    if (box.closest('[inert], [aria-hidden="true"]')) return;
    event.preventDefault();
    const input = box.querySelector('input');
    input?.focus();
    input?.select();
  };
  document.addEventListener('keydown', focus);
  return () => document.removeEventListener('keydown', focus);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
