/** The values that a statement may have. */
export const MAX_PARAMETERS = 1000;

/** A name after `$`, or the number of a parameter from 1. */
export const PARAMETER_NAME = /^(?:[A-Za-z_][A-Za-z0-9_]{0,127}|[1-9][0-9]{0,3})$/;
