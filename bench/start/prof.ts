import { newHome, removeHome, startStandalone } from '../service/service.ts';
const home = newHome();
const first = await startStandalone(home); await first.stop();
for (let i=0;i<4;i++){ const s = await startStandalone(home); console.log('ready', s.readyMs.toFixed(0)); await s.stop(); }
removeHome(home);
