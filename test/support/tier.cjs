/**
 * How much the tests do. By default little, the same each time: a twentieth of the runs of each property, from a fixed seed. With
 * TOOL_SEARCH_TEST_PROPERTIES=full all runs, from the seed TOOL_SEARCH_TEST_SEED, or a random one.
 */
const isFull = process.env.TOOL_SEARCH_TEST_PROPERTIES === 'full';

const FIXED_SEED = 1;
const LEAST_RUNS = 10;

/** The seed from which those of a suite's properties follow. */
const seed = Number(process.env.TOOL_SEARCH_TEST_SEED || (isFull ? Math.floor(Math.random() * 2 ** 31) : FIXED_SEED));
if (!Number.isInteger(seed)) throw new Error('TOOL_SEARCH_TEST_SEED is no whole number: use the one that CI printed');

/** @param full number of runs in the full tier */
const runsOf = (full) => (isFull ? full : Math.max(Math.min(full, LEAST_RUNS), Math.ceil(full / 20)));

/**
 * The part of a list that one of several suites takes, where the full tier runs every combination: each value comes in one of them.
 *
 * @param turn the suite's position among `turns` suites
 */
const byTurns = (values, turn, turns = 2) => (isFull ? values : values.filter((_, at) => at % turns === turn % turns));

module.exports = { isFull, seed, runsOf, byTurns };
