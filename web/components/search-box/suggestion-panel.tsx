import { forgetAllSearches, forgetSearch } from './recent-searches.ts';
import type { Suggestion } from './suggestion.ts';
import { SuggestionList } from './suggestion-list.tsx';
import type { SuggestionState } from './use-search-suggestions.ts';

interface SuggestionPanelProps {
  listId: string;
  suggested: SuggestionState;
  chosen: string | null;
  optionId: (suggestion: Suggestion) => string;
  onChoose: (suggestion: Suggestion) => void;
  /** The recent searches have changed: draw them again. */
  onForgotten: () => void;
}

export function SuggestionPanel({ listId, suggested, chosen, optionId, onChoose, onForgotten }: SuggestionPanelProps) {
  if (suggested.state === 'none') return null;
  if (suggested.state === 'nothing-found') {
    return (
      <div className="suggestions">
        <p className="suggestions-none" role="status">
          No titles or people match. Press Enter to search everything said, written and seen.
        </p>
      </div>
    );
  }
  const isRecent = suggested.groups[0]?.name === 'Recent searches';
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a press inside must not take the focus out of the box
    <div className="suggestions" onMouseDown={(event) => event.preventDefault()}>
      <SuggestionList
        id={listId}
        groups={suggested.groups}
        chosen={chosen}
        optionId={optionId}
        onChoose={onChoose}
        onForget={({ text }) => {
          forgetSearch(text);
          onForgotten();
        }}
      />
      {isRecent ? <ClearRecent onForgotten={onForgotten} /> : <Keys />}
    </div>
  );
}

function ClearRecent({ onForgotten }: { onForgotten: () => void }) {
  return (
    <div className="suggestions-foot">
      <button
        type="button"
        className="link"
        onClick={() => {
          forgetAllSearches();
          onForgotten();
        }}
      >
        Clear recent searches
      </button>
    </div>
  );
}

function Keys() {
  return (
    <div className="suggestions-foot" aria-hidden="true">
      <span>
        <span className="keycap">↵</span>Search the archive
      </span>
      <span>
        <span className="keycap">↑↓</span>Choose
      </span>
      <span>
        <span className="keycap">esc</span>Close
      </span>
    </div>
  );
}
