// Prints the milliseconds until js-joda, with the newest time zones loaded, has resolved a local time.
import { createRequire } from 'node:module';

const started = performance.now();
const require = createRequire(import.meta.url);
const { LocalDateTime, ZonedDateTime, ZoneId, ZoneRulesProvider } = require('@js-joda/core');
require('@js-joda/timezone/dist/js-joda-timezone-empty.js');
ZoneRulesProvider.loadTzdbData(require('moment-timezone/data/packed/latest.json'));
ZonedDateTime.of(LocalDateTime.parse('2026-03-29T02:30'), ZoneId.of('Europe/Berlin')).toInstant();
console.log(performance.now() - started);
