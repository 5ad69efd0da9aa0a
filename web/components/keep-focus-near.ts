/** When a row goes away with the focus in it, the same control of the row that comes next takes it; else the heading of the page. To be the row's `ref`. */
export function keepFocusNear(row: HTMLTableRowElement): () => void {
  return () => {
    if (!row.contains(document.activeElement)) return;
    const column = [...row.cells].findIndex((cell) => cell.contains(document.activeElement));
    const near = [row.nextElementSibling, row.previousElementSibling]
      .map((sibling) => sibling?.querySelector<HTMLElement>(`td:nth-child(${column + 1}) button:enabled`))
      .find((control) => control);
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const target = near?.isConnected ? near : document.querySelector<HTMLElement>('main h1');
      target?.focus({ preventScroll: true });
    });
  };
}
