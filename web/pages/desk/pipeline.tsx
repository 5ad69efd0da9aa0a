import { Icon } from '#web/ui/icon.tsx';
import type { Stage } from './stages.ts';

/** The way of a film in seven segments: what is done, under way, failed, and still to come. */
export function Pipeline({ stages, name }: { stages: readonly Pick<Stage, 'name' | 'state' | 'percent'>[]; name: string }) {
  return (
    <ol className="pipe" aria-label={`Progress of ${name}`}>
      {stages.map((stage) => (
        <li key={stage.name} className={`stage stage-${stage.state}`}>
          <span className="stage-bar">{stage.state === 'running' && <i style={{ width: `${Math.max(2, stage.percent)}%` }} />}</span>
          <span className="stage-label">
            {stage.state === 'done' && <Icon name="check" size={16} />}
            {stage.state === 'failed' && <Icon name="circle-alert" size={16} />}
            <span>{stage.name}</span>
            {stage.state === 'running' && <span className="tc">{stage.percent}%</span>}
            <span className="sr-only">{stage.state === 'running' ? '' : `, ${stage.state}`}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
