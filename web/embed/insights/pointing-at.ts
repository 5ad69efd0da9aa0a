/** What an element needs that shows a written text: whoever points at it, or goes there by the keyboard, sees it outlined in the picture. */
export function pointingAt(text: string, point: (text: string | null) => void) {
  const begin = () => point(text);
  const end = () => point(null);
  return { onPointerEnter: begin, onPointerLeave: end, onFocus: begin, onBlur: end };
}
