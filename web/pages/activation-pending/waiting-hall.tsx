const windows = [-42, 113, 268, 423, 578];
const people = [40, 150, 236, 330, 402, 500, 560, 612];

/** A station hall in the morning, drawn: an arrivals picture for people who wait. */
export function WaitingHall() {
  return (
    <svg className="message-picture max-md:hidden" viewBox="0 0 640 480" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <defs>
        <linearGradient id="hall-wall" x2="0" y2="1">
          <stop stopColor="#4a3020" />
          <stop offset=".62" stopColor="#7a5636" />
          <stop offset="1" stopColor="#a1774b" />
        </linearGradient>
        <linearGradient id="hall-pane" x2="0" y2="1">
          <stop stopColor="#fffbe0" />
          <stop offset="1" stopColor="#ffe79a" />
        </linearGradient>
        <radialGradient id="hall-edge" cx=".5" cy=".45" r=".78">
          <stop offset=".45" stopOpacity="0" />
          <stop offset="1" stopColor="#170d05" stopOpacity=".7" />
        </radialGradient>
      </defs>
      <rect width="640" height="480" fill="url(#hall-wall)" />
      <rect y="322" width="640" height="158" fill="#b98d5c" />
      {windows.map((x) => (
        <g key={x}>
          <path d={`M${x} 232h74l130 120h-92z`} fill="#ffdf95" opacity=".34" />
          <path d={`M${x} 232V60a37 37 0 0 1 74 0v172z`} fill="url(#hall-pane)" />
          <path d={`M${x + 18} 30v202m18-210v210m18-202v202M${x} 78h74M${x} 128h74M${x} 178h74`} stroke="#e6b84f" strokeWidth="1.5" />
        </g>
      ))}
      {people.map((x, index) => {
        const size = 1 + (index % 3) * 0.32;
        return (
          <g key={x} transform={`translate(${x} ${352 + (index % 3) * 34}) scale(${size})`} fill="#25170d">
            <circle cy="-44" r="6" />
            <path d="M-8-36h16l3 26h-6l2 30h-5L0-6l-2 26h-5l2-30h-6z" />
            {index % 2 === 0 && <rect x="10" y="-8" width="14" height="11" rx="1.5" />}
          </g>
        );
      })}
      <rect width="640" height="480" fill="url(#hall-edge)" />
    </svg>
  );
}
