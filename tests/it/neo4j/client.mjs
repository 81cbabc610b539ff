// Asks through a client that was written for Neo4j's Query API, and prints what it made of the answers as one JSON value.
//
//     node client.mjs FOLDER ADDRESS TOKEN
//
// FOLDER holds node_modules with the client. Its package is made for bundlers: its files are modules that name each other without
// their endings, which Node by itself does not take. The hooks below do what a bundler would; the client itself is unchanged.

import { register } from 'node:module'
import { pathToFileURL } from 'node:url'

const hooks = `
  export async function resolve(name, context, next) {
    if (!name.startsWith('.')) return next(name, context)
    for (const end of ['.js', '/index.js']) {
      try { return await next(name + end, context) } catch { /* the next one */ }
    }
    return next(name, context)
  }
  export const load = (url, context, next) =>
    next(url, url.includes('/experimental-query-api-wrapper/lib/') ? { ...context, format: 'module' } : context)
`
register('data:text/javascript,' + encodeURIComponent(hooks))

const [folder, address, token] = process.argv.slice(2)
const client = `${folder}/node_modules/@neo4j-labs/experimental-query-api-wrapper/lib/index.js`
const { default: neo4j } = await import(pathToFileURL(client))

const wrapper = neo4j.wrapper(address, neo4j.auth.basic('neo4j', token))
const session = wrapper.session({ database: 'ripple', defaultAccessMode: 'READ' })
const told = {}

const query = `MATCH p = (f:Function {name: $name})-[e:CONTAINS]->(v:Variable {name: 'price'})
  RETURN f, e, p, $seven + 1 AS eight, 1.5 AS half, ['a', 'b'] AS list, {a: true} AS map, null AS empty`
const { records, summary } = await session.run(query, { name: 'bill', seven: neo4j.int(7) })
const [row] = records
told.rows = records.length
told.keys = row.keys
told.node = [neo4j.isNode(row.get('f')), row.get('f').labels, row.get('f').properties.name, neo4j.isInt(row.get('f').properties.line)]
told.relationship = [neo4j.isRelationship(row.get('e')), row.get('e').type, row.get('e').startNodeElementId === row.get('f').elementId]
told.path = [neo4j.isPath(row.get('p')), row.get('p').length, row.get('p').end.properties.name]
told.scalars = [row.get('eight').toNumber(), row.get('half'), row.get('list'), row.get('map'), row.get('empty')]
told.updates = summary.counters.containsUpdates()

told.nothing = (await session.run("MATCH (f:Function {name: 'none'}) RETURN f")).records.length
for (const [name, statement] of [['refused', 'MATCH (n) DELETE n'], ['unclear', 'MATCH (n) RETRUN n'], ['missing', 'RETURN $x']]) {
  told[name] = await session.run(statement).then(() => 'no error', error => error.code)
}
told.wrong = await wrapper.session({ database: 'other' }).run('RETURN 1').then(() => 'no error', error => error.code)

const stranger = neo4j.wrapper(address, neo4j.auth.basic('neo4j', 'another'))
told.stranger = await stranger.session({ database: 'ripple' }).run('RETURN 1').then(() => 'no error', error => error.code)

await session.close()
await wrapper.close()
console.log(JSON.stringify(told))
