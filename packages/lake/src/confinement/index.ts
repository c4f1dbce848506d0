export { KERNEL_RULES, type KernelRules } from './kernel-rules.ts';
export { engineCallFilter, type SharedNetwork, systemCallFilter } from './system-call-filter.ts';
export { ETC, KEYS, LIMITS, SYSTEM } from './system-folders.ts';
