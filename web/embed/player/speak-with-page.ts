import type { ParentPage } from '../parent-page.ts';
import { aimAt } from './aim-at.ts';
import type { Playback } from './playback.ts';

/** Tells the page what the film does, and does what the page says. */
export function speakWithPage(video: HTMLVideoElement, playback: Playback, page: ParentPage): void {
  video.addEventListener('loadedmetadata', () => page.say({ loaded: true }));
  video.addEventListener('play', () => page.say({ played: true }));
  video.addEventListener('pause', () => page.say({ paused: true }));
  for (const change of ['timeupdate', 'seeking']) {
    video.addEventListener(change, () => page.say({ currentTime: video.currentTime }));
  }
  page.listen((message) => {
    if (message.time !== undefined) playback.seek(aimAt(message.time));
    if (message.play) playback.play();
    if (message.pause) playback.pause();
    if (message.language !== undefined) chooseTextLanguage(video, message.language);
  });
}

function chooseTextLanguage(video: HTMLVideoElement, language: string): void {
  for (const track of Array.from(video.textTracks)) {
    // A film with captions in one language only keeps them, whatever was asked for.
    if (track.language !== '') track.mode = track.language === language ? 'hidden' : 'disabled';
  }
}
