import { type MouseEvent, useState } from 'react';
import type { MatchKind } from '#contract/match-kinds.ts';
import type { TextRange, VideoIndex } from '#contract/video-service/answers.ts';
import { buildThumbnailUrl } from '#web/api/thumbnails.ts';
import { MarkedText } from '#web/components/text/marked-text.tsx';
import { parseTimeCode } from '#web/components/text/time-code.ts';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { type Store, useStore } from '#web/ui/store.ts';
import type { EmbedAddress } from '../embed-address.ts';
import type { SearchInFilm } from '../film-search.ts';
import { Confidence, ProvenanceBadge } from './how-known.tsx';
import { type Lane, type LaneSection, listLanes, nextAppearanceOn } from './list-lanes.ts';
import { pointingAt } from './pointing-at.ts';

interface InsightsTabProps {
  index: VideoIndex;
  search: SearchInFilm;
  /** What to mark in each written line, by its key. */
  marks: ReadonlyMap<string, readonly TextRange[]>;
  address: EmbedAddress;
  clock: Store<number>;
  token: () => string;
  pick: (seconds: number) => void;
  /** Outlines a written text in the picture; null no more. */
  point: (text: string | null) => void;
}

/** Who and what appears, as lanes on one time axis. */
export function InsightsTab({ index, search, marks, address, clock, token, pick, point }: InsightsTabProps) {
  const insights = index.videos[0]?.insights;
  const noTranscript = insights?.noTranscript;
  const named = new Map(search.found.map(({ kind, text, ranges }) => [`${kind} ${text}`, ranges]));
  const ofName = (kind: MatchKind, name: string) => named.get(`${kind} ${name}`);
  // The index rounds its own length to whole seconds, and the last appearance of a short film would end beyond it.
  const durationInSeconds = parseTimeCode(insights?.duration ?? '');
  const sections = insights ? listLanes(insights, durationInSeconds, { ofName, ofLine: marks }) : [];
  const choose = (lane: Lane, event: MouseEvent) => pick(nextAppearanceOn(lane, clock.read(), event.shiftKey ? 'back' : 'on'));
  const picture = (thumbnailId: string) => buildThumbnailUrl({ videoId: address.videoId, thumbnailId, token: token() });
  return (
    <div className="pb" id="tab-panel" role="tabpanel" aria-labelledby="tab-insights">
      {sections.length > 0 && (
        <div className="lanes">
          <NowLine clock={clock} durationInSeconds={durationInSeconds} />
          {sections.map((section) => (
            <Section key={section.title} {...{ section, choose, picture, point }} />
          ))}
        </div>
      )}
      {(noTranscript || sections.length === 0) && (
        <p className="panel-note">{noTranscript ?? 'Nothing has been recognised in this video yet.'}</p>
      )}
    </div>
  );
}

function NowLine({ clock, durationInSeconds }: { clock: Store<number>; durationInSeconds: number }) {
  const seconds = useStore(clock);
  const share = durationInSeconds > 0 ? Math.min(1, seconds / durationInSeconds) : 0;
  return (
    <div className="axis" aria-hidden="true">
      <span className="nowline" style={{ left: `${share * 100}%` }} />
    </div>
  );
}

const rowsShown = 5;

interface SectionProps {
  section: LaneSection;
  choose: (lane: Lane, event: MouseEvent) => void;
  picture: (thumbnailId: string) => string;
  point: (text: string | null) => void;
}

function Section({ section, choose, picture, point }: SectionProps) {
  const [isWhole, setIsWhole] = useState(false);
  const { title, lanes } = section;
  const provenances = [...new Set(lanes.map(({ provenance }) => provenance))].sort();
  // What the heading says of all of them no row says again, nor what a machine found.
  const usual = provenances.length === 1 && provenances[0] === 'catalogue' ? 'catalogue' : 'machine';
  return (
    <section className="ins" aria-label={title}>
      <div className="hd">
        <h2>{title}</h2>
        <span className="tc">{lanes.length}</span>
        {provenances.map((provenance) => (
          <ProvenanceBadge key={provenance} provenance={provenance} />
        ))}
        {lanes.length > rowsShown && (
          <Button look="ghost" size="small" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : 'Show all'}
          </Button>
        )}
      </div>
      <ul>
        {(isWhole ? lanes : lanes.slice(0, rowsShown)).map((lane) => (
          <li key={lane.id}>
            <button
              type="button"
              className={title === 'People' ? 'lane pp' : 'lane'}
              title="Next appearance (Shift: previous)"
              onClick={(event) => choose(lane, event)}
              {...(title === 'On-screen text' ? pointingAt(lane.name, point) : {})}
            >
              <span className="nm">
                {title === 'People' && (
                  <span className="avatar">
                    {lane.thumbnailId ? <img src={picture(lane.thumbnailId)} alt="" /> : <Icon name="user-round" />}
                  </span>
                )}
                <span className="t">
                  <MarkedText text={lane.name} ranges={lane.ranges} />
                </span>
                {lane.provenance !== usual && <ProvenanceBadge provenance={lane.provenance} />}
              </span>
              <span className="sr-only">, {lane.bars.length === 1 ? '1 appearance' : `${lane.bars.length} appearances`}</span>
              <span className="trk">
                {lane.bars.map((bar) => (
                  <i
                    key={bar.startInSeconds}
                    className={lane.ranges.length > 0 ? 'm' : undefined}
                    style={{ left: `${bar.startShare * 100}%`, width: `${bar.widthShare * 100}%` }}
                  />
                ))}
              </span>
              <Confidence of={lane.confidence} provenance={lane.provenance} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
