/* Reads a reader's own result files in the browser: checks them against the JSON Schema, and makes of each what
 * data/values/ holds of ours. Nothing leaves the page.
 */
(() => {
  "use strict";

  const MOST_BYTES = 5_000_000;
  const MOST_FAULTS = 5;

  const kindOf = (value) => {
    if (value === null) return "null";
    if (Array.isArray(value)) return "array";
    return Number.isInteger(value) ? "integer" : typeof value;
  };
  const isOf = (value, type) => {
    const kind = kindOf(value);
    return [type].flat().some((each) => each === kind || (each === "number" && kind === "integer"));
  };

  /* The part of JSON Schema that result.schema.json uses. Gives faults as "where: what". */
  const faultsOf = (value, schema, kinds, where = "$") => {
    const rule = schema.$ref ? kinds[schema.$ref.split("/").pop()] : schema;
    if (rule.anyOf) {
      const tried = rule.anyOf.map((each) => faultsOf(value, each, kinds, where));
      return tried.some((faults) => !faults.length) ? [] : tried.sort((a, b) => a.length - b.length)[0];
    }
    if (rule.enum && !rule.enum.includes(value)) return [`${where}: must be one of ${rule.enum.join(", ")}`];
    if (rule.type && !isOf(value, rule.type)) return [`${where}: must be ${[rule.type].flat().join(" or ")}`];
    const kind = kindOf(value);
    if (kind === "object") return objectFaults(value, rule, kinds, where);
    if (kind === "array") return value.flatMap((each, index) => faultsOf(each, rule.items ?? {}, kinds, `${where}[${index}]`));
    return kind === "string" ? textFaults(value, rule, where) : numberFaults(value, rule, where);
  };

  const objectFaults = (value, rule, kinds, where) => {
    const known = rule.properties ?? {};
    const faults = (rule.required ?? []).filter((name) => !(name in value)).map((name) => `${where}.${name}: is missing`);
    for (const [name, each] of Object.entries(value)) {
      const place = `${where}.${name}`;
      if (rule.propertyNames) faults.push(...faultsOf(name, rule.propertyNames, kinds, place));
      if (Object.hasOwn(known, name)) faults.push(...faultsOf(each, known[name], kinds, place));
      else if (rule.additionalProperties === false) faults.push(`${place}: no such field`);
      else if (typeof rule.additionalProperties === "object") {
        faults.push(...faultsOf(each, rule.additionalProperties, kinds, place));
      }
    }
    return faults;
  };

  const textFaults = (value, { minLength = 0, maxLength = Infinity, pattern }, where) => {
    if (value.length < minLength || value.length > maxLength) return [`${where}: has ${value.length} characters`];
    return pattern && !new RegExp(pattern, "u").test(value) ? [`${where}: is not of the form ${pattern}`] : [];
  };

  const numberFaults = (value, { minimum = -Infinity, maximum = Infinity }, where) =>
    typeof value === "number" && (value < minimum || value > maximum) ? [`${where}: ${value} is out of bounds`] : [];

  const read = async (file, schema) => {
    if (file.size > MOST_BYTES) throw new Error(`${file.name}: over ${MOST_BYTES / 1e6} MB; a result file is smaller`);
    let record;
    try {
      record = JSON.parse(await file.text());
    } catch (error) {
      throw new Error(`${file.name}: no JSON: ${error.message}`);
    }
    const faults = faultsOf(record, schema, schema.$defs);
    if (faults.length) throw new Error(`${file.name}: no result file: ${faults.slice(0, MOST_FAULTS).join("; ")}`);
    return record;
  };

  /* What all samples have in common stands in a file once. */
  const spread = (column, count) => (Array.isArray(column) ? column : Array(count).fill(column));

  const valuesOf = ({ samples }, { column }) => {
    const given = column && samples.values[column];
    const count = samples.position.length;
    if (given === undefined || given === null || given === "") return {};
    const [values, status] = [spread(given, count), spread(samples.status ?? "ok", count)];
    const rounds = samples.round ?? values.map((_, index) => index + 1);
    const kept = rounds.map((round, index) => [round, values[index]]).filter(([, value], index) => {
      return status[index] === "ok" && typeof value === "number";
    });
    return Object.fromEntries(kept);
  };

  const nameOf = ({ scenario, case: inCase, runner }) => JSON.stringify([scenario, inCase, runner]);
  /* Names go the way of generate/naming.py: no markup, and nothing that turns text around. */
  const plain = (name) => name.replace(/[^\p{L}\p{N}_ .,:?+()'-]+/gu, " ").split(" ").filter(Boolean).join(" ") || "unnamed";
  const words = ({ implementation, version, free_threaded: isFree }) =>
    plain(`${implementation} ${version}${isFree ? " free-threaded" : ""}`);

  const isWhole = ({ samples }) => [samples.status ?? "ok"].flat().every((status) => status === "ok");
  const blockOf = ({ scenario, case: inCase }) => JSON.stringify([scenario, inCase]);

  /* The values of the baseline and of its control, of each case in which both may decide. */
  const controlsOf = ({ series }, metrics, decides) => {
    const subjects = new Map(series.filter(({ role }) => role === "subject").map((one) => [nameOf(one), one]));
    const controls = series.filter(({ role, scenario }) => role === "control" && metrics[scenario]);
    const pairs = controls.map((control) => [control, subjects.get(nameOf(control))]).filter((pair) => decides(...pair));
    return new Map(pairs.map(([control, baseline]) => {
      const [values, against] = [control, baseline].map((one) => valuesOf(one, metrics[one.scenario]));
      return [blockOf(control), { values, baseline: against }];
    }));
  };

  /* One file as a cell; the reference build's series stand in it, or in the file of the reference build beside it. */
  const cellOf = (record, records, metrics) => {
    const { run, build, reference_build: reference } = record;
    const isReference = (one) => JSON.stringify(one.build) === JSON.stringify(reference) && one.run.id === run.id &&
      one.machine.label === record.machine.label;
    const beside = records.find(isReference)?.series.filter(({ role }) => role === "subject") ?? [];
    const held = [...beside, ...record.series.filter(({ role }) => role === "reference")];
    const references = new Map(held.map((series) => [nameOf(series), series]));
    const decides = (...compared) => run.profile === "full" && compared.every((one) => one && isWhole(one));
    const controls = controlsOf(record, metrics, decides);
    const series = record.series.filter(({ role, scenario }) => role === "subject" && metrics[scenario]).map((one) => {
      const metric = metrics[one.scenario];
      const against = references.get(nameOf(one));
      return {
        name: [one.scenario, one.case, one.runner],
        title: metric.title,
        unit: metric.unit,
        better: metric.better,
        values: valuesOf(one, metric),
        reference: against ? valuesOf(against, metric) : {},
        code: [one.source_sha256 ?? record.source_sha256[`${one.scenario}/${one.runner}`], record.scenario_sha256[one.scenario] ?? null],
        control: controls.get(blockOf(one)) ?? null,
        decides: decides(one),
        reference_decides: decides(one, against),
        why: metric.column ? one.reason?.replace(/\p{C}/gu, "") : "reckoned from several columns: python -m generate compare does that",
      };
    });
    const is_reference = JSON.stringify(build) === JSON.stringify(reference);
    return { is_reference, machine: plain(record.machine.label), build: words(build), run: run.id, started: run.started.slice(0, 10), reference, series };
  };

  const load = async (url) => {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`what files are checked against did not load (${answer.status})`);
    return answer.json();
  };

  /* Reads files; gives their cells, and what is wrong with those that can't be used. */
  window.ownResults = async (files, data) => {
    const [schema, metrics] = await Promise.all(
      ["result.schema.json", "metrics.json"].map((name) => load(data + name)),
    );
    const done = await Promise.allSettled([...files].map((file) => read(file, schema)));
    const records = done.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
    return {
      cells: records.map((record) => cellOf(record, records, metrics)),
      faults: done.filter(({ status }) => status === "rejected").map(({ reason }) => reason.message),
    };
  };
})();
