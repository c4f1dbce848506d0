import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './design/tokens.css';
import './design/base.css';
import './design/controls.css';
import './design/display.css';
import './app/shell.css';
import { router } from './app/router.tsx';
import { applyAppearance } from './design/theme.ts';
import { cache, rejectsSession } from './service/queries.ts';
import { followOtherTabs, recheckSession } from './session/session.ts';

applyAppearance();

/** The router leads to the sign-in and back, or to what the person must do first. */
function recheck(): void {
  recheckSession().then(
    (isOther) => (isOther ? location.reload() : router.invalidate()),
    // A page shows what else goes wrong.
    () => {},
  );
}

function leaveIfRejected(error: unknown): void {
  if (rejectsSession(error) && !router.state.location.pathname.endsWith('/sign-in')) recheck();
}
followOtherTabs(recheck);
cache.getQueryCache().config.onError = leaveIfRejected;
cache.getMutationCache().config.onError = leaveIfRejected;

const root = document.getElementById('root');
if (root !== null)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={cache}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
