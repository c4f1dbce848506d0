/** The Compatibility Kit's class path; null if it can't be fetched. */
export function kitClassPath(): Promise<string | null>;
