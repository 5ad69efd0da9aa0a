const namesOfSteps: Readonly<Record<string, string>> = {
  probe: 'File check',
  publish: 'Publishing',
  poster: 'Chosen poster',
  frames: 'All frames',
  voice: 'Speech detection',
  text: 'On-screen text',
};

/** A step's name as people read it. */
export function wordsOfStep(name: string): string {
  const spaced = name.replaceAll('-', ' ');
  return namesOfSteps[name] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
