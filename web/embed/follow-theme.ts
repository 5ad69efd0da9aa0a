import type { ParentPage } from './parent-page.ts';

const themeKey = 'rushes-theme';

/** Keeps the frame in the theme of its page: told by message, by the choice stored on this origin, else by the system. */
export function followTheme(page: ParentPage): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const stored = storedTheme();
    document.documentElement.dataset.theme = stored ?? (system.matches ? 'dark' : 'light');
  };
  window.addEventListener('storage', (event) => {
    if (event.key === themeKey || event.key === null) apply();
  });
  system.addEventListener('change', apply);
  page.listen(({ theme }) => {
    if (theme) document.documentElement.dataset.theme = theme;
  });
}

// Storage may be refused (private windows); then the system decides.
function storedTheme(): 'light' | 'dark' | null {
  try {
    const stored = localStorage.getItem(themeKey);
    return stored === 'light' || stored === 'dark' ? stored : null;
  } catch {
    return null;
  }
}
