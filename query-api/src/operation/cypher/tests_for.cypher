// From a field, start from the functions that use it; from a type, from those that use its fields, and its methods too.
// What tests call is a helper, and no test.
MATCH (t:{label} {id: $id})<-[:CALLS|CALLS_THROUGH* SHORTEST 1..{depth}]-(f:Function)
WITH DISTINCT f WHERE f.test AND NOT EXISTS { MATCH (f)<-[:CALLS]-(g:Function) WHERE g.test AND g.id <> f.id }
RETURN f.id, f.qualified_name, f.file, f.line
