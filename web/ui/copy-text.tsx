import { showToast } from './toast.tsx';

/** Copies a text, and says so. Where the browser does not let a page copy, the text is shown, to be copied by hand. */
export async function copyText(what: 'Link' | 'Citation' | 'Key', text: string): Promise<void> {
  try {
    // There is no clipboard on plain http beyond this machine, and a browser may refuse the one that there is.
    await navigator.clipboard.writeText(text);
    showToast(`${what} copied`);
  } catch {
    const copyYourself = <span className="toast-copy">{text}</span>;
    showToast(<>The browser blocked copying. Select this text and copy it: {copyYourself}</>, 'unfinished');
  }
}
