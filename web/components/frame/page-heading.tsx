import { type ReactNode, useContext, useEffect, useRef } from 'react';
import { useNavigationType } from 'react-router';
import { BehindContext } from '../behind.ts';

let pageOnShow: string | null = null;

/**
 * The one h1 of a page. After a change of page it takes the focus, so that a screen reader says where one is;
 * `page` is what makes this another page than the one before, for instance the query.
 */
export function PageHeading({ page, children }: { page: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isBehind = useContext(BehindContext);
  const isReturn = useNavigationType() === 'POP';
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what moves the focus, not another render of it
  useEffect(() => {
    if (isBehind) return;
    // Whoever comes back to a list may stand on one of its rows already.
    const stands = isReturn && document.activeElement?.matches('.moment');
    if (!stands && pageOnShow !== null && pageOnShow !== page) heading.current?.focus({ preventScroll: isReturn });
    pageOnShow = page;
  }, [page, isBehind]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
