import { useState } from 'react';
import { limits } from '#contract/limits.ts';
import { useLater } from '#web/components/use-later.ts';
import { Icon } from '#web/ui/icon.tsx';

interface UserSearchProps {
  search: string;
  onSearch: (search: string) => void;
}

/** Looks for users by a part of their name or e-mail, a moment after the last letter. */
export function UserSearch({ search, onSearch }: UserSearchProps) {
  // What is being typed stands over the address, which follows it.
  const [typed, setTyped] = useState<string | null>(null);
  const later = useLater(limits.searchDebounceMs);
  const type = (text: string) => {
    setTyped(text);
    later.begin(() => onSearch(text));
  };
  const leave = () => {
    later.cancel();
    if (typed !== null && typed.trim() !== search) onSearch(typed);
    setTyped(null);
  };
  return (
    <search ref={later.ref} className="table-search" aria-label="Users">
      <Icon name="search" />
      <input
        type="search"
        aria-label="Search users by name or e-mail"
        placeholder="Name or e-mail"
        maxLength={limits.userSearchMaxCodePoints}
        autoComplete="off"
        spellCheck={false}
        value={typed ?? search}
        onChange={(event) => type(event.target.value)}
        onBlur={leave}
      />
    </search>
  );
}
