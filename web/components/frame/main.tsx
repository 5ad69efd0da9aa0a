import type { ReactNode } from 'react';

/** The landmark of a page's content. */
export function Main({ busy = false, children }: { busy?: boolean; children?: ReactNode }) {
  return (
    <main id="main" className="wrap" aria-busy={busy || undefined}>
      {children}
    </main>
  );
}
