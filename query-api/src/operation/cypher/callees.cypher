MATCH (s:{label} {id: $id})-[:CALLS|CALLS_THROUGH* SHORTEST 1..{depth}]->(t)
RETURN DISTINCT t.id, t.qualified_name, label(t) AS label, t.file, t.line
