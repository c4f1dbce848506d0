import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

/** One of the values that the browser remembers; the first one without a valid one, or without storage. */
function stored<T extends string>(key: string, values: readonly [T, ...T[]]): T {
  try {
    const text = localStorage.getItem(key);
    return values.find((value) => value === text) ?? values[0];
  } catch {
    return values[0];
  }
}

let theme: Theme = stored('svc-theme', THEMES);
let density: Density = stored('svc-density', DENSITIES);

export function applyAppearance(): void {
  const isDark = theme === 'dark' || (theme === 'system' && dark.matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  document.documentElement.dataset['density'] = density;
}

dark.addEventListener('change', applyAppearance);

function remember(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  applyAppearance();
  for (const listener of listeners) listener();
}

export function setTheme(value: Theme): void {
  theme = value;
  remember('svc-theme', value);
}

export function setDensity(value: Density): void {
  density = value;
  remember('svc-density', value);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => theme);
export const useDensity = (): Density => useSyncExternalStore(subscribe, () => density);
