import { Main } from '#web/components/frame/main.tsx';
import { Button } from '#web/ui/button.tsx';

/** When drawing a page failed: mostly a part of it that a newer version of the site has replaced, which loading again brings. The router logs why. */
export function PageBroken() {
  return (
    <Main>
      <title>This page could not be shown</title>
      <section className="message-page">
        <div role="alert">
          <h1>This page could not be shown.</h1>
          <p className="message-lead">A part of it did not load. Loading it again brings the newest version.</p>
          <Button className="mt-7" look="primary" size="large" onClick={() => window.location.reload()}>
            Load again
          </Button>
        </div>
      </section>
    </Main>
  );
}
