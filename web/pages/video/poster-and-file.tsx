import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { isFootageName } from '#contract/footage-names.ts';
import { limits } from '#contract/limits.ts';
import { choosePoster } from '#web/api/films.ts';
import { mediaAddressesOf } from '#web/api/media.ts';
import { addToQueue } from '#web/api/uploads/upload-queue.ts';
import { formatTimeCode, spellTime } from '#web/components/text/time-code.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Modal } from '#web/ui/modal.tsx';
import { showToast } from '#web/ui/toast.tsx';
import './poster-and-file.css';

interface PosterAndFileProps {
  videoId: string;
  name: string;
  /** The second that the player shows. */
  opensAt: number;
  durationInSeconds: number;
  onClose: () => void;
}

/** Chooses the picture that stands for the film, and puts another file in the place of its own. */
export function PosterAndFile({ videoId, name, opensAt, durationInSeconds, onClose }: PosterAndFileProps) {
  return (
    <Modal title="Poster and file" onClose={onClose}>
      <ChoosePoster videoId={videoId} opensAt={opensAt} durationInSeconds={durationInSeconds} onChosen={onClose} />
      <ReplaceFile videoId={videoId} name={name} onChosen={onClose} />
    </Modal>
  );
}

const stepSeconds = limits.frameIntervalSeconds;

type ChoosePosterProps = Pick<PosterAndFileProps, 'videoId' | 'opensAt' | 'durationInSeconds'> & { onChosen: () => void };

/** By the small frames of the film; the poster itself is drawn from the original. */
function ChoosePoster({ videoId, opensAt, durationInSeconds, onChosen }: ChoosePosterProps) {
  const last = Math.max(0, Math.ceil(durationInSeconds / stepSeconds) - 1);
  const [frame, setFrame] = useState(Math.min(last, Math.round(opensAt / stepSeconds)));
  const seconds = frame * stepSeconds;
  const choosing = useMutation({
    mutationFn: () => choosePoster(videoId, seconds * 1_000),
    onSuccess: () => {
      showToast(`The frame at ${formatTimeCode(seconds)} will be the poster in a moment.`);
      onChosen();
    },
  });
  return (
    <section className="choose-poster" aria-labelledby="choose-poster">
      <h2 id="choose-poster">Poster</h2>
      <img src={mediaAddressesOf(videoId).frame(frame)} alt={`The video at ${formatTimeCode(seconds)}`} />
      <label>
        <span className="sr-only">Position in the video</span>
        <input
          type="range"
          min={0}
          max={last}
          value={frame}
          aria-valuetext={spellTime(seconds)}
          onChange={({ target }) => setFrame(Number(target.value))}
        />
      </label>
      <p>
        <span className="tc">{formatTimeCode(seconds)}</span>
        <Button look="primary" size="small" busy={choosing.isPending} onClick={() => choosing.mutate()}>
          Use as poster
        </Button>
      </p>
      {choosing.error && (
        <p className="field-message" role="alert">
          {choosing.error.message}
        </p>
      )}
    </section>
  );
}

/** Sends a file that takes the place of the film's own: the queue goes on while other pages are looked at. */
function ReplaceFile({ videoId, name, onChosen }: { videoId: string; name: string; onChosen: () => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [refusal, setRefusal] = useState('');
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    // The same file may be chosen again.
    target.value = '';
    if (!file) return;
    if (!isFootageName(file.name)) return setRefusal(`${file.name} is not a supported video or audio file.`);
    if (addToQueue([{ file, sidecars: [], replaces: { id: videoId, name } }]) > 0)
      return setRefusal(`${file.name} is already uploading. Follow it on the desk.`);
    showToast(
      <>
        Uploading {file.name}. <Link to={paths.desk}>Follow it on the desk</Link>
      </>,
    );
    onChosen();
  };
  return (
    <section className="replace-file" aria-labelledby="replace-file">
      <h2 id="replace-file">File</h2>
      <p>
        Upload a new file; the address stays the same. Corrections are kept and applied again where they still fit. The old file plays until
        the new one is ready, then it is kept in the trash until an operator purges it.
      </p>
      <input ref={chooser} type="file" hidden accept="video/*,audio/*,.mkv,.mxf,.ts,.vob" aria-label="New file" onChange={choose} />
      <Button look="outline" size="small" onClick={() => chooser.current?.click()}>
        Replace file
      </Button>
      {refusal && (
        <p className="field-message" role="alert">
          {refusal}
        </p>
      )}
    </section>
  );
}
