/** The most second factors that a person can have. */
export const MAX_SECOND_FACTORS = 20;
/** How long after a sign-in, or after the password was entered again, second factors can be changed. */
export const CONFIRMED_MINUTES = 10;

export const SECOND_FACTOR_MODES = ['optional', 'administrators', 'required'] as const;
