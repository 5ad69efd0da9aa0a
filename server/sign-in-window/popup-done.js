// The opener may be lost on the way through a provider's pages, so the outcome is told to every page of this archive.
const { outcome, message } = document.querySelector('[data-outcome]').dataset;
const channel = new BroadcastChannel('rushes-sign-in');
channel.postMessage(outcome === 'failed' ? { outcome, message } : { outcome });
channel.close();
window.close();
