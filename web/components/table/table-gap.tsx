/** Takes the room of rows that are not drawn because they are out of sight. */
export function TableGap({ columns, heightPx }: { columns: number; heightPx: number }) {
  if (heightPx < 1) return null;
  return (
    <tr className="table-gap">
      <td colSpan={columns} style={{ height: heightPx }} />
    </tr>
  );
}
