MATCH (t:{label} {id: $id})<-[:CALLS|CALLS_THROUGH* SHORTEST 1..{depth}]-(f:Function)
RETURN DISTINCT f.id, f.qualified_name, f.file, f.line
