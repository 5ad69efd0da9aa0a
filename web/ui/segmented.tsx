import { type KeyboardEvent, useRef } from 'react';

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  options: ReadonlyArray<{ value: T; label: string }>;
  onChange: (value: T) => void;
}

/** One choice of a few, as a radio group: arrow keys move and choose. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  const group = useRef<HTMLDivElement>(null);
  const choose = (event: KeyboardEvent) => {
    const step =
      event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = options.findIndex((option) => option.value === value);
    const next = (at + step + options.length) % options.length;
    const chosen = options[next];
    if (!chosen) return;
    onChange(chosen.value);
    group.current?.querySelectorAll<HTMLElement>('[role=radio]')[next]?.focus();
  };
  return (
    <div ref={group} className="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a native radio cannot carry the look in forced colours
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
          onKeyDown={choose}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
