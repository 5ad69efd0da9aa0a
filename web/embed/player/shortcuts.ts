import { isSilent, keyNameOf } from '#web/ui/letter-keys.tsx';

/** What a key does on a video's page; all but `to-search` and the marks of a range is done by the player. */
export type Command =
  | 'toggle-play'
  | 'back-10'
  | 'forward-10'
  | 'back-5'
  | 'forward-5'
  | 'previous-frame'
  | 'next-frame'
  | 'louder'
  | 'quieter'
  | 'toggle-mute'
  | 'toggle-captions'
  | 'toggle-full-screen'
  | 'next-match'
  | 'previous-match'
  | 'next-shot'
  | 'previous-shot'
  | 'to-start'
  | 'to-end'
  | 'show-help'
  | PageCommand;

/** What the page does itself, wherever the key was pressed. */
type PageCommand = 'to-search' | 'mark-in' | 'mark-out';

export function isForPage(command: Command): command is PageCommand {
  return command === 'to-search' || command === 'mark-in' || command === 'mark-out';
}

/** What in every document but the player's own is done by a key that scrolls. */
export function isScrolling(command: Command): boolean {
  return command === 'to-start' || command === 'to-end' || command === 'louder' || command === 'quieter';
}

/** What the player does. */
export type PlayerCommand = Exclude<Command, PageCommand>;

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;

const commands: Record<string, Command> = {
  ' ': 'toggle-play',
  k: 'toggle-play',
  j: 'back-10',
  l: 'forward-10',
  arrowleft: 'back-5',
  arrowright: 'forward-5',
  ',': 'previous-frame',
  '.': 'next-frame',
  arrowup: 'louder',
  arrowdown: 'quieter',
  m: 'toggle-mute',
  c: 'toggle-captions',
  f: 'toggle-full-screen',
  n: 'next-match',
  '[': 'previous-shot',
  ']': 'next-shot',
  home: 'to-start',
  end: 'to-end',
  '?': 'show-help',
  '/': 'to-search',
  i: 'mark-in',
  o: 'mark-out',
};

/** What has the focus, as far as it matters for keys. */
interface Focused {
  /** Its role where it says one, else the name of its element or the type of its field. */
  readonly role: string;
  /** Letters are text there, or find an item of a menu. */
  readonly isTyping: boolean;
  /** It stands in a panel that the keys up and down scroll. */
  readonly isInPanel?: boolean;
}

/** As every slider has it, up is forward. */
const onSlider: Record<string, Command> = { arrowup: 'forward-5', arrowdown: 'back-5', pageup: 'forward-10', pagedown: 'back-10' };

const pressedBySpace = new Set(['button', 'tab', 'radio', 'checkbox', 'switch', 'summary']);

/** The command of a key; none while somebody types or when a control wants the key itself. */
export function commandOf(key: Key, { role, isTyping, isInPanel = false }: Focused): Command | null {
  const pressed = keyNameOf(key);
  // Many keyboards write these with AltGr, which is Control with Alt, or with Option; what a letter does with those is the browser's.
  const isBracket = (pressed === '[' || pressed === ']') && key.altKey;
  if (isTyping || key.metaKey || ((key.ctrlKey || key.altKey) && !isBracket)) return null;
  if (pressed === ' ' && (pressedBySpace.has(role) || key.shiftKey)) return null;
  if (role === 'range' && /^(arrow|home|end)/.test(pressed)) return null;
  if (role === 'slider' && onSlider[pressed]) return onSlider[pressed];
  if (isInPanel && /^(arrow(up|down)|home|end)$/.test(pressed)) return null;
  if (pressed === 'n' && key.shiftKey) return 'previous-match';
  return commands[pressed] ?? null;
}

/** The command that another document names, if it is one. */
export function readCommand(named: unknown): Command | undefined {
  return [...Object.values(commands), 'previous-match' as const].find((command) => command === named);
}

/** Hears the commands of a document's keys wherever its focus is; `obey` says whether the key is used up by that. Returns how to stop. */
export function hearCommands(obey: (command: Command) => boolean): () => void {
  const press = (event: KeyboardEvent) => {
    // A control that has used the key, a tab for instance, says so.
    if (event.defaultPrevented || document.querySelector('dialog[open]') || isSilent(event.key)) return;
    const command = commandOf(event, describeFocus(event.target));
    if (command && obey(command)) event.preventDefault();
  };
  window.addEventListener('keydown', press);
  return () => window.removeEventListener('keydown', press);
}

function describeFocus(target: EventTarget | null): Focused {
  if (!(target instanceof HTMLElement)) return { role: '', isTyping: false };
  const type = target instanceof HTMLInputElement ? target.type : target.tagName.toLowerCase();
  const role = target.getAttribute('role') ?? type;
  const isField = target.matches('input:not([type=range], [type=checkbox], [type=radio]), textarea, select');
  const isTyping = isField || target.isContentEditable || target.closest('[role=menu], [role=dialog], [role=alertdialog]') !== null;
  return { role, isTyping, isInPanel: target.closest('[role=tabpanel]') !== null };
}
