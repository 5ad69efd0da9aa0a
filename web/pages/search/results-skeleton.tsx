const cards = [
  { title: 44, rows: [82, 64, 90] },
  { title: 58, rows: [70, 88, 52] },
  { title: 36, rows: [92, 60] },
];

/** The exact places of real cards, without their content. */
export function ResultsSkeleton() {
  return (
    <div className="after-a-moment" aria-hidden="true">
      {cards.map(({ title, rows }) => (
        <div key={title} className="result">
          <div>
            <div className="frame skeleton" />
            <div className="strip" />
          </div>
          <div>
            <div className="skeleton skeleton-line h-[22px]" style={{ width: `${title}%` }} />
            <div className="skeleton skeleton-line w-[18%]" />
            {rows.map((row) => (
              <div key={row} className="grid grid-cols-[66px_18px_1fr] gap-3 py-[5px]">
                <div className="skeleton skeleton-line" />
                <div className="skeleton skeleton-line h-4 rounded-full" />
                <div className="skeleton skeleton-line" style={{ width: `${row}%` }} />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
