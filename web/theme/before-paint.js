// Runs before the first paint, so that a stored choice never flashes the other theme.
(() => {
  let stored = null;
  try {
    stored = localStorage.getItem('rushes-theme');
  } catch {
    // Storage may be refused (private windows, sandboxed frames); then the system decides.
  }
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.theme = stored === 'light' || stored === 'dark' ? stored : system;
})();
