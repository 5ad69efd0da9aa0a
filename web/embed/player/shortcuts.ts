/** What a key does in the player. */
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
  | 'to-start'
  | 'to-end'
  | 'show-help';

type Key = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>;

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
  home: 'to-start',
  end: 'to-end',
  '?': 'show-help',
};

/** The list under `?`. */
export const shortcutHelp: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['Space', 'K'], does: 'Play or pause' },
  { keys: ['J', 'L'], does: 'Back or forward 10 seconds' },
  { keys: ['←', '→'], does: 'Back or forward 5 seconds' },
  { keys: [',', '.'], does: 'Previous or next frame' },
  { keys: ['N', 'Shift N'], does: 'Next or previous match' },
  { keys: ['↑', '↓'], does: 'Louder or quieter' },
  { keys: ['M'], does: 'Sound on or off' },
  { keys: ['C'], does: 'Captions on or off' },
  { keys: ['F'], does: 'Full screen' },
  { keys: ['?'], does: 'This list' },
];

/** The command of a key; none while somebody types or when a control wants the key itself. */
export function commandOf(key: Key, focused: { role: string; isTyping: boolean }): Command | null {
  if (key.ctrlKey || key.altKey || key.metaKey || focused.isTyping) return null;
  const pressed = key.key.toLowerCase();
  if (focused.role === 'button' && pressed === ' ') return null;
  if (focused.role === 'range' && /^(arrow|home|end)/.test(pressed)) return null;
  if (pressed === 'n' && key.shiftKey) return 'previous-match';
  return commands[pressed] ?? null;
}
