// @ts-check
/* Which packages a runner is measured with, as generate/analysis/packages.py finds them. Pure. */

/** @typedef {{ version: string | null, source?: string | null, requires?: string[] | null }} Package */
/** @typedef {Record<string, Package>} Packages */

/** A record lists zope.interface under that name, and names it zope-interface where it is required. */
const normal = (/** @type {string} */ name) => name.replace(/[-_.]+/g, "-").toLowerCase();

/**
 * Returns the versions of the *roots* and of all that they need, as far as a record says; where it does not, of all.
 * @param {Packages} packages
 * @param {string[]} roots
 */
export const versionsOf = (packages, roots = Object.keys(packages)) => {
  const known = new Map(Object.entries(packages).map(([name, each]) => [normal(name), each]));
  const asked = roots.map(normal);
  const isUnknown = (/** @type {string} */ name) => known.has(name) && !known.get(name)?.requires;
  const wanted = asked.some(isUnknown) ? [...known.keys()] : asked;
  /** @type {Map<string, string>} */
  const versions = new Map();
  for (const name of wanted) { // and those that are added meanwhile
    const { version, source, requires } = known.get(name) ?? {};
    if (!version || versions.has(name)) continue;
    versions.set(name, source ? `${version} (${source})` : version);
    wanted.push(...(requires ?? []).map(normal));
  }
  return Object.fromEntries(versions);
};
