import { type KeyboardEvent, useRef } from 'react';

const tabs = [
  { id: 'insights', label: 'Insights' },
  { id: 'timeline', label: 'Timeline' },
] as const;

export type TabId = (typeof tabs)[number]['id'];

/** Arrow keys move and choose, Tab goes on to the panel. */
export function Tabs({ chosen, onChoose }: { chosen: TabId; onChoose: (tab: TabId) => void }) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    event.preventDefault();
    const other = tabs.find((tab) => tab.id !== chosen);
    const next = event.key === 'Home' ? tabs[0] : event.key === 'End' ? tabs[1] : other;
    if (!next) return;
    onChoose(next.id);
    list.current?.querySelector<HTMLElement>(`#tab-${next.id}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" ref={list} aria-label="What is shown of this video">
      {tabs.map(({ id, label }) => (
        <button
          key={id}
          id={`tab-${id}`}
          type="button"
          className="tab"
          role="tab"
          aria-selected={id === chosen}
          aria-controls="tab-panel"
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
          onKeyDown={move}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
