import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Renders the chart with Helm, and validates its objects. Go builds the programs, which takes some minutes the first time.
const root = fileURLToPath(new URL('../../../../..', import.meta.url));
const isAvailable = spawnSync('go', ['version']).status === 0;

(isAvailable ? test : test.skip)(
  `the chart renders valid objects${isAvailable ? '' : ' (left out: needs Go)'}`,
  () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/chart/try-chart.mjs'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr: status === 0 ? '' : stderr + stdout }).toEqual({ status: 0, stderr: '' });
    console.log(stdout);
  },
  1_200_000,
);
