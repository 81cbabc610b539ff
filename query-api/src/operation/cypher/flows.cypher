// Up through results, then down through arguments; each phase alone as well. Which containers come to hold it is one
// more phase, last: -[:FLOWS_TO|PASSES_TO|SUMMARIZES|PACKS_INTO* SHORTEST 1..{depth}]->.
MATCH (s:{label} {id: $id})-[:FLOWS_TO|RETURNS_TO|SUMMARIZES|UNPACKS_TO* SHORTEST 1..{depth}]->(m)
WITH DISTINCT m
MATCH (m)-[:FLOWS_TO|PASSES_TO|SUMMARIZES|UNPACKS_TO* SHORTEST 1..{depth}]->(t)
RETURN DISTINCT t.id, t.qualified_name, t.kind, t.file, t.line
UNION
MATCH (s:{label} {id: $id})-[:FLOWS_TO|RETURNS_TO|SUMMARIZES|UNPACKS_TO* SHORTEST 1..{depth}]->(t)
RETURN DISTINCT t.id, t.qualified_name, t.kind, t.file, t.line
UNION
MATCH (s:{label} {id: $id})-[:FLOWS_TO|PASSES_TO|SUMMARIZES|UNPACKS_TO* SHORTEST 1..{depth}]->(t)
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
