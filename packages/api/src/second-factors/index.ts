export { completeBrowserSession, completeSignIn } from './complete.ts';
export { secondFactorRoutes } from './routes.ts';
