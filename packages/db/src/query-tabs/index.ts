export { deleteQueryTab, findQueryTab, listQueryTabs, saveQueryTab } from './query-tabs.ts';
