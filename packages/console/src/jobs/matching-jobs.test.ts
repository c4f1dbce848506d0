import { matchingJobs } from './matching-jobs.ts';

const JOBS = [
  { name: 'Nightly', repository: 'shop', state: 'paused' },
  { name: 'nightly', repository: 'reports', state: 'scheduled' },
  { name: 'on demand', repository: 'reports', state: 'no schedule' },
] as const;

test.each([
  [{}, [0, 1, 2]],
  [{ q: '  ' }, [0, 1, 2]],
  [{ q: 'NIGHTLY' }, [0, 1]],
  [{ q: 'demand reports' }, [2]],
  [{ q: 'demand shop' }, []],
  [{ repository: 'reports' }, [1, 2]],
  [{ repository: 'reports', state: 'scheduled' }, [1]],
  [{ state: 'unknown' }, []],
])('the filters %j choose jobs', (filters, expected) => {
  expect(matchingJobs(JOBS, filters)).toEqual(expected.map((index) => JOBS[index]));
});
