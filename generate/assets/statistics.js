// @ts-check
/** With fewer pairs a comparison is shown and decides nothing. */
export const FEWEST_PAIRS = 9;
