import type { SyntheticEvent } from 'react';
import { useThumbnailUrl } from '#web/api/thumbnails.ts';
import { pageSettings } from '#web/page-settings.ts';
import { Icon } from '#web/ui/icon.tsx';
import { MarkedText, rooms } from '../text/marked-text.tsx';
import { narrowToHeld } from '../text/own-words.ts';
import { forgetAllSearches, forgetSearch } from './recent-searches.ts';
import type { Suggestion, SuggestionGroup } from './suggestion.ts';
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
  const isRecent = suggested.state === 'offered' && suggested.groups[0]?.name === 'Recent searches';
  return (
    <>
      <div role="status">
        {suggested.state === 'nothing-found' && (
          <div className="suggestions">
            <p className="suggestions-none">
              No titles or people match. {narrowToHeld('Press Enter to search everything said, written and seen.', pageSettings.holds)}
            </p>
          </div>
        )}
      </div>
      {suggested.state === 'offered' && (
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
      )}
    </>
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

interface SuggestionListProps {
  id: string;
  groups: SuggestionGroup[];
  /** Address of the row that the arrow keys have reached. */
  chosen: string | null;
  optionId: (suggestion: Suggestion) => string;
  onChoose: (suggestion: Suggestion) => void;
  onForget: (suggestion: Suggestion) => void;
}

function SuggestionList({ id, groups, chosen, optionId, onChoose, onForget }: SuggestionListProps) {
  return (
    <div id={id} role="listbox" aria-label="Suggestions">
      {groups.map((group, place) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options in a list box is no fieldset
        <div key={group.name} role="group" aria-labelledby={`${id}-group-${place}`}>
          <h2 id={`${id}-group-${place}`} role="presentation">
            {group.name}
          </h2>
          {group.suggestions.map((suggestion) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the focus and handles the keys
            <div
              key={suggestion.to}
              id={optionId(suggestion)}
              role="option"
              className="option"
              tabIndex={-1}
              aria-selected={suggestion.to === chosen}
              onClick={() => onChoose(suggestion)}
            >
              <SuggestionPicture suggestion={suggestion} group={group.name} />
              <span className="option-text">
                <MarkedText
                  text={suggestion.text}
                  ranges={suggestion.marks}
                  cut={rooms.row}
                  by={group.name === 'Moments' ? 'mark' : 'strong'}
                />
              </span>
              {group.name === 'Recent searches' ? (
                <ForgetMark onForget={() => onForget(suggestion)} />
              ) : (
                <span className="tc">{suggestion.detail}</span>
              )}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function SuggestionPicture({ suggestion, group }: { suggestion: Suggestion; group: SuggestionGroup['name'] }) {
  const thumbnailUrl = useThumbnailUrl();
  const { picture, icon } = suggestion;
  if (group === 'Recent searches') return <Icon name="history" />;
  if (icon && (group === 'People' || group === 'Brands')) {
    return (
      <span className="option-face">
        <Icon name={icon} size={16} />
      </span>
    );
  }
  return (
    <>
      <span className="option-frame">
        {picture && <img src={thumbnailUrl(picture.videoId, picture.thumbnailId)} alt="" onError={hide} />}
      </span>
      {icon && <Icon name={icon} />}
    </>
  );
}

/** A record without footage has no frame to show. */
function hide(event: SyntheticEvent<HTMLImageElement>) {
  event.currentTarget.hidden = true;
}

/** For the pointer; the keyboard has Delete on the chosen row. */
function ForgetMark({ onForget }: { onForget: () => void }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: an option of a list box may hold no button
    // biome-ignore lint/a11y/useKeyWithClickEvents: Delete on the chosen row does the same
    <span
      className="option-remove"
      title="Forget this search"
      onClick={(event) => {
        event.stopPropagation();
        onForget();
      }}
    >
      <Icon name="x" size={16} />
    </span>
  );
}
