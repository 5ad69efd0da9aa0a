/*
 * The search box: typing here, what is offered meanwhile in suggestion-panel, searches of this device in recent-searches, the search help.
 */
import { type FocusEvent, Suspense, useId, useReducer, useRef, useState } from 'react';
import { createPath, useLocation, useNavigate } from 'react-router';
import { limits } from '#contract/limits.ts';
import { beginListsAnew } from '#web/api/query-client.ts';
import { paths } from '#web/paths.ts';
import { Icon } from '#web/ui/icon.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { makeLazyPart } from '#web/ui/lazy-part.ts';
import { isComposing, isSilent } from '#web/ui/letter-keys.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { keepFocus } from '../keep-focus.ts';
import { forgetSearch, rememberSearch } from './recent-searches.ts';
import type { Suggestion } from './suggestion.ts';
import { useSearchSuggestions } from './use-search-suggestions.ts';

/** The field that the document brings along until this page is there. */
let documentField = document.querySelector<HTMLInputElement>('#root input[type=search]');

/** What somebody has begun to type there; null when they have not. */
function takeBegun(): string | null {
  const begun = documentField && (documentField.value !== '' || documentField === document.activeElement) ? documentField.value : null;
  documentField = null;
  return begun;
}

/** Loaded when the box is first entered: most visits of a page are over without it. */
const SuggestionPanel = makeLazyPart(() => import('./suggestion-panel.tsx').then((part) => part.SuggestionPanel));

/** The search box of every page: a combobox over recent searches and what the archive suggests. */
export function SearchBox({ query }: { query: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const goTo = useGoTo(query);
  const [begun] = useState(takeBegun);
  const [isOpen, setOpen] = useState(begun !== null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const { text, type, suggested, isLoading } = useSearchSuggestions(begun || query, isOpen);

  const rows = suggested.state === 'offered' ? suggested.groups.flatMap((group) => group.suggestions) : [];
  const at = rows.findIndex((row) => row.to === chosen);
  const row = isOpen ? rows[at] : undefined;
  const optionId = (suggestion: Suggestion) => `${id}-${rows.indexOf(suggestion)}`;

  const close = () => {
    setOpen(false);
    setChosen(null);
  };
  const goBack = () => {
    close();
    input.current?.blur();
  };
  const leaveFor = (to: string) => {
    goBack();
    goTo(to);
  };
  const search = () => {
    rememberSearch(text);
    leaveFor(paths.search(text.trim()));
  };
  const choose = (suggestion: Suggestion) => {
    rememberSearch(suggestion.icon === 'history' ? suggestion.text : text);
    leaveFor(suggestion.to);
  };
  const forget = (suggestion: Suggestion) => {
    forgetSearch(suggestion.text);
    setChosen(null);
    redraw();
  };
  /** What was pressed may be gone by then. */
  const andGoOn = (act: () => void) => () => {
    act();
    input.current?.focus();
  };
  const moveTo = (index: number) => setChosen(rows[(index + rows.length) % rows.length]?.to ?? null);

  const keys: Record<string, (() => void) | undefined> = {
    Enter: () => (row ? choose(row) : search()),
    Escape: () => (isOpen && suggested.state !== 'none' ? close() : type('')),
    ArrowDown: () => (isOpen ? moveTo(at + 1) : setOpen(true)),
    ArrowUp: () => moveTo(at <= 0 ? rows.length - 1 : at - 1),
    // Without a chosen row these belong to the text.
    Home: row && (() => moveTo(0)),
    End: row && (() => moveTo(rows.length - 1)),
    Delete: row?.icon === 'history' ? () => forget(row) : undefined,
  };
  const press = (event: React.KeyboardEvent) => {
    const act = isComposing(event) ? undefined : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  };
  const leave = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) close();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: the role is understood by more browsers than the search element
    <div ref={hearSlashKey} className="search-slot" role="search" data-open={isOpen || undefined} onBlur={leave}>
      <IconButton className="search-back" icon="chevron-left" label="Back" onClick={goBack} />
      <div className="search-box">
        <Icon name="search" />
        <input
          ref={input}
          type="search"
          role="combobox"
          placeholder="Search the archive"
          aria-label="Search the archive"
          aria-expanded={isOpen && rows.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={row && optionId(row)}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={limits.queryMaxCodePoints}
          value={text}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onChange={(event) => {
            type(event.target.value);
            setChosen(null);
            setOpen(true);
          }}
          onKeyDown={press}
        />
        {isLoading && isOpen && <Spinner label="Searching" />}
        {text === '' ? (
          <span className="keycap" aria-hidden="true">
            /
          </span>
        ) : (
          <button type="button" className="search-clear" aria-label="Clear search" onClick={andGoOn(() => type(''))}>
            <Icon name="x" />
          </button>
        )}
        <HelpButton onOpen={close} />
      </div>
      {isOpen && (
        <Suspense>
          <SuggestionPanel
            listId={`${id}-list`}
            suggested={suggested}
            chosen={chosen}
            optionId={optionId}
            onChoose={choose}
            onForgotten={andGoOn(redraw)}
          />
        </Suspense>
      )}
    </div>
  );
}

/**
 * The way to an address. What is on show is no further step back when it is asked for once more, but begins anew; and the heading of the
 * results on show takes the focus, as that of others does by itself.
 */
function useGoTo(query: string): (to: string) => void {
  const navigate = useNavigate();
  const here = createPath(useLocation());
  return (to) => {
    const isHere = to === here;
    navigate(to, { replace: isHere });
    if (isHere) beginListsAnew();
    if (isHere || to === paths.search(query)) keepFocus();
  };
}

const SearchHelp = makeLazyPart(() => import('./search-help.tsx').then((part) => part.SearchHelp));

function HelpButton({ onOpen }: { onOpen: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    onOpen();
    setOpen(true);
  };
  return (
    <>
      <button type="button" className="search-help" aria-label="Search help" title="Search help" aria-haspopup="dialog" onClick={open}>
        ?
      </button>
      {isOpen && (
        <Suspense>
          <SearchHelp onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

/** `/` puts the cursor into the box's field from anywhere but another field. To be the `ref` of what stands around the field. */
function hearSlashKey(box: HTMLDivElement): () => void {
  // Typing that has begun goes on.
  if (box.dataset.open) box.querySelector('input')?.focus();
  const focus = (event: KeyboardEvent) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isSilent(event.key)) return;
    // Under the sign-in window the box is out of reach.
    if (box.closest('[inert], [aria-hidden="true"]')) return;
    event.preventDefault();
    const input = box.querySelector('input');
    input?.focus();
    input?.select();
  };
  document.addEventListener('keydown', focus);
  return () => document.removeEventListener('keydown', focus);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}
