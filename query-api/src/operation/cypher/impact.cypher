// Up through results, then down through arguments; each phase alone as well. From a field, start from its cells too:
// the `element` variables with a FLOWS_TO into it. From a function, start from the variables that it contains, and the fields that it writes.
// What is made around it and handed on, `held`, goes to callers and callees, and not to what keeps it in fields.
MATCH (s:{label} {id: $id})-[:FLOWS_TO|RETURNS_TO|SUMMARIZES|UNPACKS_TO|PACKS_INTO* SHORTEST 1..{depth} (e, n | WHERE label(e) <> 'PACKS_INTO' OR e.how = 'held')]->(m)
WITH DISTINCT m
MATCH (m)-[:FLOWS_TO|PASSES_TO|SUMMARIZES|UNPACKS_TO|PACKS_INTO* SHORTEST 1..{depth} (e, n | WHERE label(e) <> 'PACKS_INTO' OR e.how = 'held')]->(t)
RETURN DISTINCT t.id, t.qualified_name, t.kind, t.file, t.line
UNION
MATCH (s:{label} {id: $id})-[:FLOWS_TO|RETURNS_TO|SUMMARIZES|UNPACKS_TO|PACKS_INTO* SHORTEST 1..{depth} (e, n | WHERE label(e) <> 'PACKS_INTO' OR e.how = 'held')]->(t)
RETURN DISTINCT t.id, t.qualified_name, t.kind, t.file, t.line
UNION
MATCH (s:{label} {id: $id})-[:FLOWS_TO|PASSES_TO|SUMMARIZES|UNPACKS_TO|PACKS_INTO* SHORTEST 1..{depth} (e, n | WHERE label(e) <> 'PACKS_INTO' OR e.how = 'held')]->(t)
RETURN DISTINCT t.id, t.qualified_name, t.kind, t.file, t.line
// up
MATCH (s:{label} {id: $id})<-[:FLOWS_TO|PASSES_TO|SUMMARIZES|UNPACKS_TO* SHORTEST 1..{depth}]-(m)
WITH DISTINCT m
MATCH (m)<-[:FLOWS_TO|RETURNS_TO|SUMMARIZES|UNPACKS_TO* SHORTEST 1..{depth}]-(t)
RETURN DISTINCT t.id, t.qualified_name, t.kind, t.file, t.line
UNION
MATCH (s:{label} {id: $id})<-[:FLOWS_TO|PASSES_TO|SUMMARIZES|UNPACKS_TO* SHORTEST 1..{depth}]-(t)
RETURN DISTINCT t.id, t.qualified_name, t.kind, t.file, t.line
UNION
MATCH (s:{label} {id: $id})<-[:FLOWS_TO|RETURNS_TO|SUMMARIZES|UNPACKS_TO* SHORTEST 1..{depth}]-(t)
RETURN DISTINCT t.id, t.qualified_name, t.kind, t.file, t.line
