/** What went away with the focus in it, by the `data-key` of its row, and what has the focus in its stead. */
let away: { key: string; column: number; isSeen: boolean; instead: Element | null } | null = null;

/**
 * When a row goes away with the focus in it, the same control takes it again in the row that comes with the same `data-key`, in another
 * table or later; until then, and else, that of the next row has it, or the heading of the page. To be the row's `ref`.
 */
export function keepFocusNear(row: HTMLTableRowElement): () => void {
  const isAwaited = away !== null && row.dataset.key === away.key;
  if (isAwaited && [document.body, away?.instead].includes(document.activeElement)) takeFocus(row);
  return () => {
    const left = document.activeElement;
    if (!left || !row.contains(left)) return;
    const column = [...row.cells].findIndex((cell) => cell.contains(left));
    const near = [row.nextElementSibling, row.previousElementSibling]
      .map((sibling) => controlOf(sibling, column))
      .find((control) => control);
    const { key } = row.dataset;
    away = key ? { key, column, isSeen: left.matches(':focus-visible'), instead: null } : null;
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const moved = key && document.querySelector<HTMLTableRowElement>(`tr[data-key="${CSS.escape(key)}"]`);
      if (moved) return takeFocus(moved);
      const target = near?.isConnected ? near : document.querySelector<HTMLElement>('main h1');
      target?.focus({ preventScroll: true });
      if (away) away.instead = target ?? null;
    });
  };
}

/** Only who goes by keys, and sees where they are by the focus, is taken along to where the row stands now. */
function takeFocus(row: HTMLTableRowElement): void {
  if (away) controlOf(row, away.column)?.focus({ preventScroll: !away.isSeen });
  away = null;
}

function controlOf(row: Element | null, column: number): HTMLElement | null | undefined {
  return row?.querySelector<HTMLElement>(`td:nth-child(${column + 1}) button:enabled`);
}
