import type { ProjectVersion } from '@svc/sdk/browser';
import { compareVersions } from './version-changes.ts';

type Asset = ProjectVersion['assets'][number];

const asset = (name: string, more: Partial<Asset> = {}): Asset => ({
  ...{ name, kind: 'table', language: 'sql', description: null, depends_on: [], tags: [] },
  ...more,
});

test('versions differ in assets, their settings, and jobs', () => {
  const before = { assets: [asset('a.kept'), asset('a.old', { kind: 'view' }), asset('a.moved')], jobs: ['x', 'y'] };
  const after = {
    assets: [asset('a.moved', { depends_on: ['a.new'], tags: ['daily'] }), asset('a.kept'), asset('a.new')],
    jobs: ['y', 'z'],
  };
  expect(compareVersions(before, after)).toEqual({
    assets: {
      added: [{ name: 'a.new', kind: 'table', columns: null }],
      removed: [{ name: 'a.old', kind: 'view' }],
      changed: [{ name: 'a.moved', kind: 'table', changes: ['depends on', 'tags'], columns: null }],
    },
    jobs: { added: ['z'], removed: ['x'], changed: [] },
  });
});

test('a version does not differ from itself', () => {
  const version = { assets: [asset('a.b', { tags: ['x'] })], jobs: ['x'] };
  expect(compareVersions(version, structuredClone(version))).toEqual({
    assets: { added: [], removed: [], changed: [] },
    jobs: { added: [], removed: [], changed: [] },
  });
});
