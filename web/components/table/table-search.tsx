import { useState } from 'react';
import { limits } from '#contract/limits.ts';
import { useLater } from '#web/components/use-later.ts';
import { Icon } from '#web/ui/icon.tsx';

interface TableSearchProps {
  /** The name of the table. */
  name: string;
  /** What is looked for, as it is read aloud, and as it stands in the empty field. */
  label: string;
  placeholder: string;
  /** What the address asks for. */
  text: string;
  maxLength?: number;
  onSearch: (text: string) => void;
}

/** Asks for rows of a table by a text, a moment after the last letter. What is being typed stands over the address, which follows it. */
export function TableSearch({ name, label, placeholder, text, maxLength, onSearch }: TableSearchProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const later = useLater(limits.searchDebounceMs);
  const type = (next: string) => {
    setTyped(next);
    later.begin(() => onSearch(next));
  };
  const leave = () => {
    later.cancel();
    if (typed !== null && typed.trim() !== text) onSearch(typed);
    setTyped(null);
  };
  return (
    <search ref={later.ref} className="table-search" aria-label={name}>
      <Icon name="search" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? text}
        onChange={({ target }) => type(target.value)}
        onBlur={leave}
      />
    </search>
  );
}
