// Check an unpacked archive: node crate.js FOLDER. tests/crate.sh calls this script. It prints what was checked, and each
// error; the exit code is 1 if there is an error.
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const path = require('path');

// The validator would download the context of RO-Crate. This function gives it the copy in its own package instead.
const context = require('ro-crate/lib/context.json');
globalThis.fetch = async url => url === context['@id']
    ? {ok: true, json: async () => context}
    : {ok: false, statusText: 'only the context of RO-Crate is available'};
const {Validator} = require('ro-crate/lib/validator.js');
const oxigraph = require('oxigraph');
const YAML = require('yaml');

const folder = process.argv[2];
let errors = 0;
function error(text) {
    console.log(`  error: ${text}`);
    ++errors;
}
const read = name => fs.readFileSync(path.join(folder, name), 'utf8');
const asList = value => value === undefined ? [] : Array.isArray(value) ? value : [value];

function filesBelow(below) {
    return fs.readdirSync(path.join(folder, below), {withFileTypes: true}).flatMap(entry => {
        const name = below ? `${below}/${entry.name}` : entry.name;
        return entry.isDirectory() ? filesBelow(name) : [name];
    });
}

// ---- The validator ----

async function validate(text) {
    const validator = new Validator();
    validator.parseJSON(text);
    if (validator.crate) {
        await validator.validate();
        const files = {}, ids = new Map(JSON.parse(text)['@graph'].map(entity => [decodeURIComponent(entity['@id']), entity['@id']]));
        for (const name of filesBelow('')) files[ids.get(name) || name] = {exists: true, inCrate: false, isDir: false};
        validator.checkFiles(files);
    }
    const found = validator.results.filter(result => result.status !== 'success');
    for (const result of found) error(`validator: ${result.status}: ${result.message} ${result.entity || ''}`);
    console.log(`  validator of ro-crate: ${found.length} errors and warnings`);
}

// ---- Files and terms ----

function checkFiles(graph) {
    const named = new Set(['ro-crate-metadata.json']);
    let sums = 0;
    for (const file of graph.filter(entity => asList(entity['@type']).includes('File'))) {
        const name = decodeURIComponent(file['@id']);
        named.add(name);
        if (!fs.existsSync(path.join(folder, name))) {
            error(`${name}: no such file`);
            continue;
        }
        const bytes = fs.readFileSync(path.join(folder, name));
        if (file.sha256 === undefined && name !== 'SHA256SUMS') error(`${name}: the crate has no SHA-256 of it`);
        if (file.sha256 === undefined) continue;
        if (crypto.createHash('sha256').update(bytes).digest('hex') !== file.sha256)
            error(`${name}: it has another SHA-256 than the crate says`);
        if (String(bytes.length) !== file.contentSize) error(`${name}: it has another size than the crate says`);
        ++sums;
    }
    for (const name of filesBelow('')) if (!named.has(name)) error(`${name}: the crate does not name it`);
    console.log(`  files: ${named.size}, ${sums} with their SHA-256`);
}

function checkTerms(crate) {
    const known = Object.assign({}, context['@context'], ...asList(crate['@context']).filter(part => typeof part === 'object'));
    const ids = new Set(crate['@graph'].map(entity => entity['@id']));
    if (ids.size !== crate['@graph'].length) error('two entities have the same @id');
    for (const entity of crate['@graph']) {
        for (const term of [...Object.keys(entity).filter(key => key[0] !== '@'), ...asList(entity['@type'])])
            if (known[term] === undefined) error(`${entity['@id']}: ${term} has no meaning in the context`);
        for (const [key, value] of Object.entries(entity))
            for (const link of asList(value))
                if (link && link['@id'] && key !== 'conformsTo' && !ids.has(link['@id']))
                    error(`${entity['@id']}: ${key} is ${link['@id']}, which the crate does not describe`);
    }
}

// ---- The questions of the profile ----

function askQuestions(crate) {
    const store = new oxigraph.Store();
    const inner = asList(crate['@context']).map(part => part === context['@id'] ? context['@context'] : part);
    store.load(JSON.stringify({...crate, '@context': inner}), {format: 'application/ld+json', base_iri: 'file:///crate/'});
    const ask = where => store.query(`PREFIX schema: <http://schema.org/>
        PREFIX dct: <http://purl.org/dc/terms/>
        PREFIX run: <https://w3id.org/ro/terms/workflow-run#>
        SELECT DISTINCT * WHERE { ${where} }`)
        .map(row => Object.fromEntries([...row.keys()].map(key => [key, row.get(key).value])));
    const runs = ask('?run a schema:CreateAction').map(row => row.run);
    // Ask a question about all runs. A run without an answer is an error. Returns the answers.
    const answers = (question, where) => {
        const rows = ask(`?run a schema:CreateAction . ${where}`), answered = new Set(rows.map(row => row.run));
        for (const run of runs) if (!answered.has(run)) error(`${run} has no ${question}`);
        console.log(`  ${question}: ${answered.size} of ${runs.length} runs`);
        return rows;
    };
    if (!runs.length) error('the crate has no run');
    if (!ask('<file:///crate/> dct:conformsTo <https://w3id.org/ro/wfrun/process/0.5>').length)
        error('the crate does not name its profile');
    answers('mention in the root', '<file:///crate/> schema:mentions ?run');
    answers('command', '?run schema:description ?command');
    for (const row of answers('end', '?run schema:startTime ?start ; schema:endTime ?end'))
        if (!(Date.parse(row.start) <= Date.parse(row.end))) error(`${row.run} ends at ${row.end}, before ${row.start}`);
    answers('machine', '?run schema:agent ?agent . ?agent a schema:IndividualProduct ; schema:name ?name');
    answers('experiment file among its inputs', '?run schema:object ?file . ?file a schema:MediaObject ; schema:sha256 ?sum');
    answers('result', '?run schema:result ?file . ?file a schema:MediaObject ; schema:sha256 ?sum . <file:///crate/> schema:hasPart ?file');
    // The competency questions of the profile that are not about workflows, by their numbers. An archive by springback
    // does not answer CQ1, because no run is in a container. A trace may lack the memory that CQ2 asks for.
    answers('program for CQ5 (duration)', '?run schema:instrument ?tool ; schema:startTime ?start ; schema:endTime ?end . ?tool a schema:SoftwareApplication ; schema:name ?name');
    for (const row of answers('status for CQ7 (success)', '?run schema:actionStatus ?status'))
        if (!/^http:\/\/schema.org\/(Completed|Failed)ActionStatus$/.test(row.status)) error(`${row.run} has the status ${row.status}`);
    const some = (question, where) => {
        const rows = ask(where);
        console.log(`  ${question}: ${rows.length}`);
        return rows;
    };
    for (const row of some('memory for CQ2 (resources)', '?run a schema:CreateAction ; run:resourceUsage ?usage . ?usage a schema:PropertyValue ; schema:propertyID ?property ; schema:unitCode ?unit ; schema:value ?bytes'))
        if (!(row.bytes > 0)) error(`${row.run} used ${row.bytes} bytes of memory`);
    for (const row of some('programs for CQ9 (version)', '?tool a schema:SoftwareApplication OPTIONAL { ?tool schema:softwareVersion ?is } OPTIONAL { ?tool schema:version ?is }'))
        if (!row.is) error(`${row.tool} has no version`);
    for (const row of some('programs with drivers for CQ10 (dependencies)', '?tool schema:softwareRequirements ?driver OPTIONAL { ?driver schema:version ?is }'))
        if (!row.is) error(`${row.driver} has no version`);
    // A program whose sources were those of a commit has two SWHIDs.
    const tools = ask('?tool schema:softwareVersion ?version OPTIONAL { ?tool schema:identifier ?id }');
    for (const tool of new Set(tools.map(row => row.tool))) {
        const rows = tools.filter(row => row.tool === tool), version = rows[0].version;
        const ids = rows.map(row => row.id).filter(id => id).sort().join(' ');
        const expected = /\+[0-9a-f]{12}$/.test(version) ? /^swh:1:dir:[0-9a-f]{40} swh:1:rev:[0-9a-f]{40}$/ : /^$/;
        if (!expected.test(ids)) error(`${tool}, version ${version}: unexpected SWHIDs: ${ids || 'none'}`);
    }
    some('sources with SWHIDs', '?tool schema:isBasedOn ?code . ?code a schema:SoftwareSourceCode ; schema:identifier ?id');
}

// ---- codecheck.yml ----

function checkCodecheck(text) {
    const config = YAML.parse(text);
    const need = (is, what) => { if (!is) error(`codecheck.yml: ${what}`); };
    need(text.startsWith('---\n'), 'it does not begin with ---');
    need(/^https:\/\/codecheck\.org\.uk\/spec\/config\/\d+\.\d+\/$/.test(config.version), 'version is not the address of a version of the specification');
    need(config.paper && typeof config.paper.title === 'string', 'paper has no title');
    need(config.paper && asList(config.paper.authors).every(author => author.name), 'an author has no name');
    need(config.paper && (config.paper.reference || config.paper.title === 'no published paper'), 'paper has no reference');
    for (const reference of [...asList(config.paper.reference), ...asList(config.paper['reference-other'])])
        need(reference.startsWith('https://doi.org/10.'), `${reference} is not a DOI`);
    need(Array.isArray(config.manifest) && config.manifest.length, 'there is no manifest');
    for (const item of asList(config.manifest))
        need(item.file && !path.isAbsolute(item.file) && fs.existsSync(path.join(folder, item.file)), `no such file: ${item.file}`);
    console.log(`  codecheck.yml: ${asList(config.manifest).length} files`);
}

async function main() {
    const text = read('ro-crate-metadata.json'), crate = JSON.parse(text);
    await validate(text);
    checkFiles(crate['@graph']);
    checkTerms(crate);
    askQuestions(crate);
    checkCodecheck(read('codecheck.yml'));
    process.exitCode = errors ? 1 : 0;
}
main();
